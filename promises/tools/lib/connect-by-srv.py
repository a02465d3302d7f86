# Connects by a connection string of MongoDB, and prints why that fails.
import sys

import pymongo

try:
    pymongo.MongoClient(sys.argv[1], serverSelectionTimeoutMS=2000).server_info()
    print("connected")
except Exception as error:
    print(type(error).__name__, error)
