import { SocketAddress } from 'node:net'

/** The one spelling of an IPv6 address (RFC 5952), as sockets have it. */
export const ipv6Text = (address: string): string => new SocketAddress({ address, family: 'ipv6' }).address
