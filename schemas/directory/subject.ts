import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const directory = subject({
  name: 'directory',
  buildsOn: ['deliveries', 'locked-deposits', 'receipts'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
