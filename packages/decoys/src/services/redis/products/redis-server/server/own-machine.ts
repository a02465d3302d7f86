// Hosts to which the server would connect without leaving its machine.
export const isOwnMachine = (host: string): boolean => /^(127\.|::1$|localhost$)/i.test(host)
