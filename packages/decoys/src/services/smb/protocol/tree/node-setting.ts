// A node of `smb.filetree`, as settings have it. Pure data; loads in a browser.

export interface NodeSetting {
  readonly name: string
  readonly type: 'file' | 'directory'
  readonly children?: readonly NodeSetting[]
  /** Bytes of a file; without it a size that fits its extension. */
  readonly size?: number
  /** A date or an instant, such as `2026-03-31` or `2026-03-31T16:20:00Z`; without it one of the years before. */
  readonly modified?: string
  /** Which of the uploaded files this is; without it its content is drawn for the Bird. */
  readonly uploaded?: number
}
