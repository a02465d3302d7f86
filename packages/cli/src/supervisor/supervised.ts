// The side of the child: it ends with its parent, and says when it serves. The parent is ours, or systemd.
import { systemdNotices } from './systemd.ts'
import type { Started } from './supervise.ts'

/** Called when the process begins; answers what is to be called once the start is over. Without a parent, neither does anything. */
export function supervised(): () => void {
  if (process.send === undefined) return systemdNotices() ?? (() => undefined)
  // The parent was killed. A successor needs the ports and the data directory at once.
  process.once('disconnect', () => process.exit())
  process.channel?.unref()
  return () => void process.send?.({ type: 'started' } satisfies Started)
}
