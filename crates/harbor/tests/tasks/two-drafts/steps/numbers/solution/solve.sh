#!/bin/bash
sed -n 's/^# //p' /app/book.md | awk '{ print NR ". " $0 }' > /app/contents.txt
