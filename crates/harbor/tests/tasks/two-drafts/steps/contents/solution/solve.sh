#!/bin/bash
sed -n 's/^# //p' /app/book.md > /app/contents.txt
