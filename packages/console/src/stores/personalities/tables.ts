export interface PersonalityTables {
  /** Settings that people saved under a name, without those of the machine (`device.*`) and the fixed ones. */
  personality: { name: string; settings: string; saved_by: string; saved_at: number }
}
