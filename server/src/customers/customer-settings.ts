export {
  getCustomerConfig,
  getCustomerRules,
  replaceCustomerConfig,
  replaceCustomerRules,
} from './customer-settings.db.ts';
