export {
  getCustomerConfig,
  getCustomerRules,
  replaceCustomerConfig,
  replaceCustomerRules,
} from '../db/customer-settings.ts';
