// A command to copy into a terminal.
import { CopyButton } from './copy-button.tsx'
import css from './command.module.css'

export function Command({ label, command }: { readonly label: string; readonly command: string }) {
  return (
    <figure className={css['command']}>
      <figcaption>{label}</figcaption>
      <pre tabIndex={0}>{command}</pre>
      <CopyButton text={command} />
    </figure>
  )
}
