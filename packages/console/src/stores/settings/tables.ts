export interface SettingTables {
  /** The console's own settings; a name without a row has its default. */
  console_setting: { name: string; value: string }
}
