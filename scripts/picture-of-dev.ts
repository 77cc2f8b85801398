// Takes pictures of pages of `mdk dev`, for the README.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'
import type { Demo } from '../src/dev/demo.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { programOf } from './install-test-packages.ts'

const SIZE = { width: 1280, height: 800 }
const PORTS = ['MDK_PORT', 'MDK_CONSOLE_PORT', 'MDK_WEBMAIL_PORT', 'MDK_OPS_PORT', 'MDK_SMTP_PORT']

/** What `mdk dev` prints. */
export interface Dev extends Demo {
  url: string
  smtpUrl: string
  consoleUrl: string
  consoleLink: string
  webmailUrl: string
  webmailLink: string
}

/** Runs `mdk dev` on free ports and in a folder of its own while `work` lasts. `settings`: its environment. */
export async function withDev(settings: Record<string, string>, work: (dev: Dev) => Promise<void>): Promise<void> {
  const dataDir = await temporaryFolder('mdk-picture-')
  const service = spawn(process.execPath, ['src/main.ts', 'dev'], {
    cwd: new URL('..', import.meta.url),
    env: {
      ...process.env,
      ...Object.fromEntries(PORTS.map((name) => [name, '0'])),
      ...{ MDK_DATA_DIR: dataDir, MDK_IP_PER_MINUTE: '0' },
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const line of createInterface(service.stdout)) {
      if (!line.includes('"consoleLink"')) continue
      await work(JSON.parse(line))
      return
    }
    throw new Error('mdk dev ended')
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Signs in by the link, and makes docs/images/NAME of what `show` leads to. */
export async function takePicture(name: string, link: string, show: (page: Page) => Promise<void>): Promise<void> {
  const path = new URL(`../docs/images/${name}`, import.meta.url).pathname
  const browser = await chromium.launch({
    executablePath: programOf('chromium-headless-shell'),
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' })
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await show(page)
    await mkdir(dirname(path), { recursive: true })
    await page.screenshot({ path })
  } finally {
    await browser.close()
  }
}
