import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const temporal = subject({
  name: 'temporal',
  kind: 'overview',
  buildsOn: ['audit'],
  settings,
  operations: () => import('./operations.ts'),
})
