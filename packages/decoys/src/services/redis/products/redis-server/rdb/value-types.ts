// The byte that says how a value is written in an RDB of version 10 (Redis 7.0).
export const VERSION = 10

export const STRING = 0
export const LIST = 1
export const SET = 2
export const HASH = 4
export const ZSET = 5
export const SET_INTSET = 11
export const HASH_LISTPACK = 16
export const ZSET_LISTPACK = 17
export const LIST_QUICKLIST = 18
export const STREAM = 19
