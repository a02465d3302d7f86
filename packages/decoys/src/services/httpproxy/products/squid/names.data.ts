// Header fields that squid knows by their name, and how it writes them.

/** By their names in lower case. */
export const KNOWN = new Map(
  `Accept Accept-Charset Accept-Encoding Accept-Language Accept-Ranges Age Allow Authorization Cache-Control Connection
  Content-Encoding Content-Language Content-Length Content-Location Content-MD5 Content-Range Content-Type Cookie Date DNT
  ETag Expect Expires Forwarded From Host If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Keep-Alive
  Last-Modified Link Location Max-Forwards Mime-Version Origin Pragma Proxy-Authenticate Proxy-Authorization Proxy-Connection
  Range Referer Retry-After Server Set-Cookie TE Title Trailer Transfer-Encoding Upgrade User-Agent Vary Via Warning
  WWW-Authenticate X-Cache X-Cache-Lookup X-Forwarded-For X-Squid-Error`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
)
