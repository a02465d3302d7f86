// Names and places that documents of ours mention.

export const PEOPLE = [
  'Anna Keller',
  'Daniel Novak',
  'Elena Rossi',
  'Grace Miller',
  'Hannah Fischer',
  'Ivan Petrov',
  'James Turner',
  'Laura Martin',
  'Marc Dubois',
  'Nina Berg',
  'Oliver Smith',
  'Paula Jensen',
  'Rachel Cohen',
  'Simon Walker',
  'Thomas Weber',
  'Victor Lang',
] as const

export const SITES = [
  'Berlin',
  'Boston',
  'Dublin',
  'Leeds',
  'Lyon',
  'Milan',
  'Oslo',
  'Prague',
  'Vienna',
  'Zurich',
] as const

export const SYSTEMS = [
  'backup server',
  'badge system',
  'billing system',
  'build server',
  'domain controller',
  'file server',
  'mail relay',
  'payroll database',
  'VPN gateway',
  'warehouse database',
] as const
