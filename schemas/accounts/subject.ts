import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const accounts = subject({
  name: 'accounts',
  buildsOn: ['credit', 'settlement', 'strategies'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
