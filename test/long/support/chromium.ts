import { existsSync } from 'node:fs'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The Chromium of this machine; undefined without one. */
export const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)

/** Findings of axe, and whether the page is wider than the screen. */
export const readAloud = async (page: Page): Promise<{ axe: string[]; sideways: boolean }> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: reader, document } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number; clientWidth: number } }
      axe: { run(root: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await reader.run(document)
    const { scrollWidth, clientWidth } = document.documentElement
    return {
      axe: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
      sideways: scrollWidth > clientWidth,
    }
  })
}
