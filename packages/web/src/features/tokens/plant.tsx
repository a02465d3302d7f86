// What to plant of a token, where, and how to see it fire.
import { useState } from 'react'
import { callForFile } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { QrCode } from '../../kit/qr-code.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { FirstTouch } from './first-touch.tsx'
import { labelOf } from './form-values.ts'
import type { Kind, Token } from './queries.ts'
import { SelfTest } from './self-test.tsx'
import css from './tokens.module.css'
import { words } from './words.ts'

interface PlantProps {
  readonly token: Token
  readonly kind: Kind
  /** The texts to plant, by name. */
  readonly texts: Readonly<Record<string, string>>
  /** Those that are never shown again. */
  readonly once: readonly string[]
  readonly isNew?: boolean
}

export function Plant({ token, kind, texts, once, isNew = false }: PlantProps) {
  const command = commandOf(kind, token, texts)
  return (
    <div className={css['columns']}>
      <div className={css['column']}>
        <section>
          <h2>{words.result.artefact}</h2>
          {once.length > 0 && (
            <p role="status" className={css['once']}>
              {words.result.once}
            </p>
          )}
          {kind.has_file && <DownloadFile id={token.decoytoken} />}
          {Object.entries(texts).map(([name, text]) => (
            <Text key={name} name={name} text={text} isOnce={once.includes(name)} />
          ))}
          {!Object.values(texts).includes(token.url) && <Text name="url" text={token.url} isOnce={false} />}
          <details className={css['more']}>
            <summary>{words.result.qr}</summary>
            <QrCode text={token.url} label={words.result.qr} />
          </details>
        </section>
        <section>
          <h2>{words.result.fire}</h2>
          <Command
            label={
              kind.command_file === ''
                ? words.result.fireLead
                : `${words.result.fireLead} ${words.result.fireFile(kind.command_file)}`
            }
            command={command}
          />
          {isNew && <FirstTouch id={token.decoytoken} createdS={Number(token.created)} />}
        </section>
        <SelfTest id={token.decoytoken} flock={token.flock_id} />
      </div>
      <div className={css['column']}>
        <section>
          <h2>{words.result.put}</h2>
          <ul className={css['bullets']}>
            {kind.placement.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </section>
        <section>
          <h2>{words.result.silent}</h2>
          <p>{kind.silenced_by}</p>
          {kind.lacks.map((it) => (
            <p key={it} className={css['lack']}>
              {it}
            </p>
          ))}
        </section>
      </div>
    </div>
  )
}

interface TextProps {
  readonly name: string
  readonly text: string
  readonly isOnce: boolean
}

function Text({ name, text, isOnce }: TextProps) {
  return (
    <figure className={css['text']}>
      <figcaption>
        {labelOf(name)} {isOnce && <strong>({words.result.onceMark})</strong>}
      </figcaption>
      <pre tabIndex={0}>
        <Evidence text={text} canUnfold />
      </pre>
      <CopyButton text={text} />
    </figure>
  )
}

function DownloadFile({ id }: { readonly id: string }) {
  const [problem, setProblem] = useState<unknown>()
  const download = async () => {
    setProblem(undefined)
    try {
      const { blob, filename } = await callForFile('tokens', 'download', { decoytoken: id })
      saveFile(blob, filename)
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <>
      <p className={css['tools']}>
        <Button look="primary" onClick={() => void download()}>
          {words.result.download}
        </Button>
        <span className={css['muted']}>{words.result.downloadHelp}</span>
      </p>
      {problem !== undefined && <ProblemBox error={problem} />}
    </>
  )
}

/** The kind's command with this token's own texts, which stand in it between double quotes. */
function commandOf(
  { command }: Pick<Kind, 'command'>,
  token: Token,
  texts: Readonly<Record<string, string>>,
): string {
  const fields: Readonly<Record<string, unknown>> = { ...token, ...texts }
  return command.replaceAll(/\{(renders\.)?(\w+)\}/g, (whole, of: string | undefined, name: string) => {
    const text = of === undefined ? fields[name] : texts[name]
    return typeof text === 'string' ? text.replaceAll(/["\\$`]/g, String.raw`\$&`) : whole
  })
}
