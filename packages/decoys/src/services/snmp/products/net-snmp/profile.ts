// Net-SNMP 5.9.3's limits, and what Debian's /etc/snmp/snmpd.conf sets.

/** rocommunity. */
export const COMMUNITY = 'public'
export const MAX_DATAGRAM_BYTES = 65_535
/** What an answer of 1,472 bytes has room for, next to its head and a community of six bytes. */
export const MAX_BINDING_BYTES = 1_430
/** Names that an event tells. */
export const MAX_NAMES = 64
export const CONTACT = 'Me <me@example.org>'
export const LOCATION = 'Sitting on the Dock of the Bay'
/** 0x48: end-to-end and applications. */
export const SERVICES = 72

/** sysORTable: what the agent implements, in the order in which it registers. */
export const MODULES: readonly (readonly [name: string, about: string])[] = [
  ['1.3.6.1.6.3.10.3.1.1', 'The SNMP Management Architecture MIB.'],
  ['1.3.6.1.6.3.11.3.1.1', 'The MIB for Message Processing and Dispatching.'],
  ['1.3.6.1.6.3.15.2.1.1', 'The management information definitions for the SNMP User-based Security Model.'],
  ['1.3.6.1.6.3.1', 'The MIB module for SNMPv2 entities'],
  ['1.3.6.1.6.3.16.2.2.1', 'View-based Access Control Model for SNMP.'],
  ['1.3.6.1.2.1.49', 'The MIB module for managing TCP implementations'],
  ['1.3.6.1.2.1.50', 'The MIB module for managing UDP implementations'],
  ['1.3.6.1.2.1.4', 'The MIB module for managing IP and ICMP implementations'],
  ['1.3.6.1.6.3.13.3.1.3', 'The MIB modules for managing SNMP Notification, plus filtering.'],
  ['1.3.6.1.2.1.92', 'The MIB module for logging SNMP Notifications.'],
]
