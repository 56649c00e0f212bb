#!/bin/bash
cd /app/poems
for file in *.txt; do
    echo "$file: $(wc -w < "$file")"
done > /app/counts.txt
