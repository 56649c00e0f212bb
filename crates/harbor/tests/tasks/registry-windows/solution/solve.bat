@echo off
reg query HKLM\Software\Microsoft\Windows\CurrentVersion\Run > C:\app\startup.txt
