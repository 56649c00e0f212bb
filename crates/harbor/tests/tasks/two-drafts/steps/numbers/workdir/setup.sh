#!/bin/bash
cat foreword.md book.md > joined.md && mv joined.md book.md && rm foreword.md
