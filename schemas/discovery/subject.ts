import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const discovery = subject({
  name: 'discovery',
  kind: 'overview',
  buildsOn: ['health'],
  operations: () => import('./operations.ts'),
  settings,
})
