import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const receipts = subject({
  name: 'receipts',
  buildsOn: ['verification'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
