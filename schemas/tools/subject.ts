import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const tools = subject({
  name: 'tools',
  kind: 'overview',
  buildsOn: ['discovery'],
  operations: () => import('./operations.ts'),
  settings,
})
