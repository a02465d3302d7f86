// What one request may be, before anything is made of it.
import { BODY_LIMITS } from '@rookery/contract/body-limit.ts'
import { limit } from '@rookery/kernel/limit.ts'

/** Connections to the console at one time. */
export const CONNECTIONS = limit('http_connections', 10_000)
/** The longest body of all, 32 MiB; each operation has its own bound (`maxBodyBytes`). */
export const BODY_BYTES = limit('request_body_bytes', BODY_LIMITS.files)
/** What is read of a body while the key is not known. */
export const KEY_BYTES = limit('request_bytes_before_the_key', 64 * 1024)
/** So long after its head a body that is not whole must have shown a key. */
export const KEY_SECONDS = limit('request_seconds_before_the_key', 10)
/** All bodies that are in memory at one time. */
export const ALL_BODY_BYTES = limit('request_bodies_in_memory_bytes', 64 * 1024 * 1024)
/** The part of them whose callers have shown no valid key yet. */
export const UNKNOWN_BODY_BYTES = limit('request_bodies_without_a_key_bytes', 8 * 1024 * 1024)
/** The part of them that one key may have: its longest body. */
export const KEY_BODY_BYTES = limit('request_bodies_of_a_key_bytes', BODY_BYTES.max)
/** The part of them that is left to bodies of at most 64 KiB: a long one must not keep a short call out. */
export const SHORT_BODY_BYTES = limit('request_bodies_left_to_short_ones_bytes', 8 * 1024 * 1024)
/** A body with a key that comes slower leaves. */
export const MIN_BODY_RATE = limit('request_body_bytes_per_second_at_least', 4 * 1024)
/** One that comes slower leaves where others need the room. */
export const STEADY_BODY_RATE = limit('request_body_bytes_per_second_for_others', 64 * 1024)
/** What of them leaves in a second to make room; senders beyond that wait for their answer. */
export const EVICTED_BYTES_PER_SECOND = limit('request_bytes_evicted_per_second', 8 * 1024 * 1024)
/** What is read and dropped of a body that was refused, so that the client reads the answer. */
export const DROPPED_BYTES = limit('request_bytes_dropped', 1024 * 1024)
/** The same of all bodies together. */
export const DROPPED_BYTES_PER_SECOND = limit('request_bytes_dropped_per_second', 16 * 1024 * 1024)
/** Parameters of one request. */
export const PARAMETERS = limit('request_parameters', 1_000)
/** A JSON body, unless the operation takes a longer text: files come as multipart/form-data. */
export const JSON_BYTES = limit('request_json_bytes', BODY_LIMITS.texts)
/** Values of a JSON body, in each other or not; the longest list of the shortest addresses has 131,072. */
export const VALUES = limit('request_json_values', 150_000)
/** Members of one object of a JSON body. */
export const MEMBERS = limit('request_object_members', 1_000)
/** Objects and arrays within each other in a JSON body. */
export const NESTING = limit('request_nesting', 64)
/** The header of one part of a multipart body. */
export const PART_HEADER_BYTES = limit('request_part_header_bytes', 8 * 1024)
