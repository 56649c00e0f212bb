#!/bin/bash
for file in $(ls $1/*.txt | sort); do
    printf '%s\t%s\n' $(basename $file) $(wc -l < $file)
done
