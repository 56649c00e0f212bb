#!/bin/bash
curl -s http://shop:8000/orders | wc -l > /app/orders.txt
