// What `mdk dev` adds to its console: the pages of captured mail, and the data that they show.
import type { Person } from '../../access/actor.ts'
import type { ConsoleAddition } from '../../roles/console.ts'
import { serveData } from '../../servers/sessions/data.ts'
import type { CapturedMail } from './captured-mail.ts'
import downloadCapture from './download-capture.ts'
import downloadCapturedFile from './download-captured-file.ts'
import showCapture from './show-capture.ts'
import showCaptureSource from './show-capture-source.ts'
import showCaptures from './show-captures.ts'

const OPERATIONS = [showCaptures, showCapture, showCaptureSource, downloadCapture, downloadCapturedFile] as const

export function capturedPages(mail: CapturedMail): ConsoleAddition {
  return {
    frontEnd: 'console-dev',
    addData: (app, { database }, doors) =>
      serveData<Person, (typeof OPERATIONS)[number]>(app, OPERATIONS, { mail, database }, doors),
  }
}
