/** Without its query; of `http://host/path`, too (RFC 9112, 3.2.2). Letters and digits may be escaped (RFC 9110, 4.2.3). */
export function pathOf(target: string): string | undefined {
  const [, path] = /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/i.exec(target) ?? []
  return path?.replace(/%(?:2[de]|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi, decodeURIComponent)
}
