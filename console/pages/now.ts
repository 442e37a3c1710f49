import { html } from '../../pages/html.ts'
import { codeWords, factTable } from '../../pages/parts.ts'
import { table } from '../look/list.ts'
import type { Page } from '../view.ts'

export const now: Page = {
  path: '/',
  name: 'Now',
  group: 'Now',
  operations: [],
  show: async (view) => ({
    title: 'Now',
    lead: 'What needs a person.',
    body: html`${factTable([['Sign-in', codeWords(view.access.kind)]])}${table('', [], [], view, '')}`,
  }),
}
