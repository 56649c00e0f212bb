#!/bin/bash
mkdir -p /app/mended
sed 's/,}/}/' /app/broken/comma.json > /app/mended/comma.json
tr "'" '"' < /app/broken/quotes.json > /app/mended/quotes.json
sed 's/3$/3]/' /app/broken/open.json > /app/mended/open.json
