// What one request may be, before anything is made of it.
import { limit } from '@rookery/kernel/limit.ts'

export const CONNECTIONS = limit('http_connections', 10_000)
export const BODY_BYTES = limit('request_body_bytes', 32 * 1024 * 1024)
/** A body of texts; files come as multipart and may be larger. */
export const TEXT_BYTES = limit('request_text_bytes', 4 * 1024 * 1024)
export const PARAMETERS = limit('request_parameters', 1_000)
export const NESTING = limit('request_nesting', 64)
