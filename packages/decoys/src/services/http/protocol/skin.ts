// A skin: the web pages of a device, and the server that shows them.

export interface Asset {
  readonly bytes: Buffer
  /** As the server compressed it; undefined for types that it does not compress. */
  readonly gzipped: Buffer | undefined
  /** Empty: the server does not know it. */
  readonly type: string
  readonly etag: string
  readonly modifiedAt: number
}

export type ServerName = 'apache' | 'nginx' | 'lighttpd' | 'iis' | 'printer'

export interface Skin {
  readonly name: string
  readonly server: ServerName
  /** The form in which people log in, and the page after it: it says that name or password is wrong. */
  readonly login: LoginForm | undefined
  /** Name and password are asked for (RFC 7617), by a printer for its settings alone; none are right. */
  readonly realm: string | undefined
  /** Where a request for `/` is sent. */
  readonly startPath: string | undefined
  readonly modifiedAt: number
  /** By path, such as `/css/login.css`; latin1, one character a byte. */
  readonly assets: ReadonlyMap<string, Asset>
  /** Paths of folders, such as `/` and `/css`. */
  readonly folders: ReadonlySet<string>
}

export interface LoginForm {
  readonly path: string
  readonly username: string
  readonly password: string
  readonly wrongCredentials: Asset
}
