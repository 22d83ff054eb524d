import type { FieldDocs } from '../platform/contract/wording.ts';

export const customersDocs: FieldDocs = {
  texts: {
    company_name: 'What the customer is called',
    country_code: 'ISO 3166-1 alpha-2',
    currency: 'ISO 4217',
    current_period_end: 'When the paid period ends',
    customer_id: 'The customer’s id',
    customers: 'The rows of the page',
    latest_subscription_status: 'The status of the newest subscription; null without one',
    locale: 'BCP 47',
    payments_customer_id: 'The customer’s id at a payment service',
    plan: 'The plan’s name',
    running_instance_count: 'Instances that run',
    subscription_count: 'Subscriptions of every status',
    subscription_id: 'The subscription’s id',
    subscriptions: 'The customer’s subscriptions',
    template_name: 'The recipe’s name',
    timezone: 'IANA time zone',
    total_pages: 'The number of pages',
    website_id: 'The website’s id',
  },
  examples: {
    customer_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a05',
    source_customer_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a05',
    subscription_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0d',
    website_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0e',
    'Customers.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a05',
    'subscriptions.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0d',
    'Subscriptions.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0d',
    'Websites.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0e',
    current_period_end: '2026-12-20T00:00:00.000Z',
    total_pages: 1,
    company_name: 'Harbour Logistics',
    customer_name: 'Harbour Logistics',
    'Customers.search': 'ops@',
    q: 'Harbour',
    country_code: 'AU',
    currency: 'AUD',
    timezone: 'Australia/Melbourne',
    locale: 'en-AU',
    payments_customer_id: null,
    plan: 'monthly',
    latest_subscription_status: 'active',
    template_name: 'Crew assistant',
    instance_count: 1,
    running_instance_count: 1,
    subscription_count: 1,
    active_subscription_count: 1,
  },
  bodies: {
    'get_customer_rules application/json': {
      quiet_hours: {
        from: '22:00',
        to: '06:00',
      },
      escalate_to: 'ops@example.com',
    },
    'replace_customer_rules request': {
      quiet_hours: {
        from: '22:00',
        to: '06:00',
      },
      escalate_to: 'ops@example.com',
    },
    'replace_customer_rules application/json': {
      quiet_hours: {
        from: '22:00',
        to: '06:00',
      },
      escalate_to: 'ops@example.com',
    },
    'get_customer_config application/json': {
      voice_config: {
        greeting: 'Welcome aboard',
      },
    },
    'replace_customer_config request': {
      voice_config: {
        greeting: 'Welcome aboard',
      },
    },
    'replace_customer_config application/json': {
      voice_config: {
        greeting: 'Welcome aboard',
      },
    },
    'update_customer request': {
      timezone: 'Australia/Sydney',
    },
  },
};
