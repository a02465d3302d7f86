// The privileges of Samba 4.17, in its order: by name, number, what it calls them, and whether enumprivs lists them. As it answered.

export interface Privilege {
  readonly name: string
  readonly number: number
  readonly title: string
  readonly isListed: boolean
}

export const PRIVILEGES: readonly Privilege[] = [
  { name: 'SeMachineAccountPrivilege', number: 6, title: 'Add machines to domain', isListed: true },
  {
    name: 'SeTakeOwnershipPrivilege',
    number: 9,
    title: 'Take ownership of files or other objects',
    isListed: true,
  },
  { name: 'SeBackupPrivilege', number: 17, title: 'Back up files and directories', isListed: true },
  { name: 'SeRestorePrivilege', number: 18, title: 'Restore files and directories', isListed: true },
  {
    name: 'SeRemoteShutdownPrivilege',
    number: 24,
    title: 'Force shutdown from a remote system',
    isListed: true,
  },
  { name: 'SePrintOperatorPrivilege', number: 4097, title: 'Manage printers', isListed: true },
  { name: 'SeAddUsersPrivilege', number: 4098, title: 'Add users and groups to the domain', isListed: true },
  { name: 'SeDiskOperatorPrivilege', number: 4099, title: 'Manage disk shares', isListed: true },
  { name: 'SeSecurityPrivilege', number: 8, title: 'System security', isListed: true },
  { name: 'SeSystemtimePrivilege', number: 12, title: 'Set the system clock', isListed: false },
  { name: 'SeShutdownPrivilege', number: 19, title: 'Shutdown the system', isListed: false },
  { name: 'SeDebugPrivilege', number: 20, title: 'Debug processes', isListed: false },
  { name: 'SeSystemEnvironmentPrivilege', number: 22, title: 'Modify system environment', isListed: false },
  { name: 'SeSystemProfilePrivilege', number: 11, title: 'Profile the system', isListed: false },
  { name: 'SeProfileSingleProcessPrivilege', number: 13, title: 'Profile one process', isListed: false },
  { name: 'SeIncreaseBasePriorityPrivilege', number: 14, title: 'Increase base priority', isListed: false },
  { name: 'SeLoadDriverPrivilege', number: 10, title: 'Load drivers', isListed: false },
  { name: 'SeCreatePagefilePrivilege', number: 15, title: 'Create page files', isListed: false },
  { name: 'SeIncreaseQuotaPrivilege', number: 5, title: 'Increase quota', isListed: false },
  { name: 'SeChangeNotifyPrivilege', number: 23, title: 'Register for change notify', isListed: false },
  { name: 'SeUndockPrivilege', number: 25, title: 'Undock devices', isListed: false },
  { name: 'SeManageVolumePrivilege', number: 28, title: 'Manage system volumes', isListed: false },
  { name: 'SeImpersonatePrivilege', number: 29, title: 'Impersonate users', isListed: false },
  { name: 'SeCreateGlobalPrivilege', number: 30, title: 'Create global', isListed: false },
  { name: 'SeEnableDelegationPrivilege', number: 27, title: 'Enable Delegation', isListed: false },
]
