// What the filter shows, as a CSV.
import { useMutation } from '@tanstack/react-query'
import { callForFile } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { saveFile } from '../../kit/save-file.ts'
import type { InboxSearch } from '../../links.ts'
import { words } from '../../words/en.ts'
import { rowsParams } from './filter.ts'
import css from './inbox.module.css'

/** Rows that the console writes at most (`incidents/export`). */
const MOST = 100_000

export function Export({ search, total }: { readonly search: InboxSearch; readonly total: number }) {
  const { isPending, error, mutate } = useMutation({
    mutationFn: async () => {
      const { blob, filename } = await callForFile('incidentViews', 'export', rowsParams(search))
      saveFile(blob, filename)
    },
  })
  return (
    <>
      <Button
        look="quiet"
        className={css['export']}
        aria-busy={isPending || undefined}
        reason={isPending ? words.inbox.exporting : undefined}
        onClick={() => mutate()}
      >
        {words.inbox.export}
      </Button>
      {total > MOST && <span className={css['total']}>{words.inbox.exportNewest(MOST)}</span>}
      {error && <ProblemBox error={error} />}
    </>
  )
}
