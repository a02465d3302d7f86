// What somebody sees who opens the app: it is there, and their account may not use it.
import type { HttpAnswer } from '../../channels/http/visit.ts'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:20vh auto;max-width:28rem;padding:0 1rem;color:#222}h1{font-size:1.25rem}'

/** `name` is one of our own: it needs no escape. */
export const noAccessPage = (name: string): HttpAnswer => ({
  status: 403,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store, max-age=0',
    'X-Robots-Tag': 'noindex',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  },
  body: `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title><style>${STYLE}</style></head>
<body><h1>${name}</h1><p>You are signed in, but your account has no access to this application yet.</p><p>Ask your administrator to assign a role to you, then open it again.</p></body></html>
`,
})
