import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const credit = subject({ name: 'credit', buildsOn: ['pool'], operations: () => import('./operations.ts'), settings })
