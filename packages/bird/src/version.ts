/** The version of the Bird's software, which it sends in HELLO. */
export const VERSION = '3.0.0'
