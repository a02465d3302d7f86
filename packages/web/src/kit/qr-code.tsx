// A QR code, drawn: no picture has to be fetched.
import { useEffect, useRef } from 'react'
import { QUIET_ZONE } from '@rookery/tokens/qr/modules.ts'
import { qrSymbol } from '@rookery/tokens/qr/symbol.ts'

const PIXELS = 4

/** Nothing where the text is too long for one. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const modules = symbolOf(text)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !modules) return
    context.fillStyle = '#fff'
    context.fillRect(0, 0, context.canvas.width, context.canvas.height)
    context.fillStyle = '#000'
    for (const [y, row] of modules.entries())
      for (const [x, isDark] of row.entries())
        if (isDark) context.fillRect((x + QUIET_ZONE) * PIXELS, (y + QUIET_ZONE) * PIXELS, PIXELS, PIXELS)
  })
  if (!modules) return null
  const size = (modules.length + 2 * QUIET_ZONE) * PIXELS
  return <canvas ref={canvas} role="img" aria-label={label} width={size} height={size} />
}

function symbolOf(text: string) {
  try {
    return qrSymbol(text)
  } catch {
    return undefined
  }
}
