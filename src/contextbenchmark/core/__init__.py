"""Bytes, hashes, processes, records: what both parts stand on, and nothing about either."""
