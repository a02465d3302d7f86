/** A sentence of `words`, with what stands between backticks as code. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}
