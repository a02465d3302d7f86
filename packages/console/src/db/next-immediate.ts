// The check phase of the event loop, after everything that has arrived was read (nodejs.org, "The Node.js event loop").

export const nextImmediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
