// The recorded probes of FTP, changed.
import { latin1 } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { probes } from './vsftpd/corpus.ts'
import { ftpSession } from '../../src/services/ftp/products/vsftpd/session.ts'

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\xff\xf4\xff\xf2',
  '\xff',
  'USER a\r\n',
  'PASS b\r\n',
  'AUTH TLS\r\n',
]

const server = ftpSession('(vsFTPd 3.0.3)')

export const mutations: MutationTargets = {
  ftp: sessionTarget({
    server: () => server,
    // A probe alone ends at its first answer; three are a session.
    segments: (draw) =>
      draw
        .many(1, 3, () => draw.pick(probes).send)
        .flat()
        .map(latin1),
    change: changeText(PIECES),
    // Each line of a few bytes has an answer.
    mostAnswerBytes: 200_000,
    leastMeanAnswer: 40,
  }),
}
