// The byte that says how a value is written in an RDB of version 10 (Redis 7.0), and what older versions wrote.
export const VERSION = 10

export const STRING = 0
export const LIST = 1
export const SET = 2
/** Scores are texts. */
export const ZSET_TEXTS = 3
export const HASH = 4
export const ZSET = 5
export const LIST_ZIPLIST = 10
export const SET_INTSET = 11
export const ZSET_ZIPLIST = 12
export const HASH_ZIPLIST = 13
export const LIST_QUICKLIST_ZIPLISTS = 14
export const STREAM_WITHOUT_COUNTS = 15
export const HASH_LISTPACK = 16
export const ZSET_LISTPACK = 17
export const LIST_QUICKLIST = 18
export const STREAM = 19
