// Test files that `npm test` leaves to `npm run gate -- G14`, which runs every test whole. What they hold, others hold in short.
export const LONG = [
  // The gates themselves; G1, G4 and G5 have a short form.
  'promises/safety/{power-cuts,disk-full,two-consoles-under-faults,three-days-without-the-console,a-source-with-100000-addresses,clocks-that-jump,backups-under-load,upgrades-killed,poll-while-eight-write,costly-strangers}.test.ts',
  // Processes that are killed, disks that fill up, databases that fall silent.
  'packages/bird/src/kill.test.ts',
  'packages/cli/test/{data-directory-lock,file-modes,fleet-update,local-bird,move,other-release,package,rekey,update}.test.ts',
  'packages/console/src/flows/ingest/filters/deferred-touches.kill.test.ts',
  'packages/console/src/notify/queue/kill.test.ts',
  'packages/console/test/robust/{damage,disk,refusing-database,silent-database,touches}.test.ts',
  // Hundreds of connections, and megabytes of writes.
  'packages/console/src/channels/link/{half-open,silent-strangers}.test.ts',
  'packages/console/src/db/sqlite/log-bound.test.ts',
  // All files of a kind, all operations, on two consoles.
  'packages/console/src/flows/tokens/{hostile-uploads,kept-files}.test.ts',
  'packages/console/test/guards/two-consoles.test.ts',
  // It measures delays of servers, to a tenth of a second.
  'packages/decoys/test/fresh.test.ts',
  // Pages in a real browser, beyond the journeys of a newcomer and an analyst: `npm run proof -- ui`.
  'packages/web/test/!(accessible|click-everything|cut|journey|people|sign-in).test.ts',
  // Copies of the clone with a folder more.
  'tools/{decoy,token}-plug-ins.test.ts',
]
