import { getRouteApi } from '@tanstack/react-router';
import { CustomerRulesForm } from '../forms/customer-rules.tsx';
import { useRead, useWrite } from '../queries.ts';
import { instructionsOf } from '../rules/instructions.ts';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { visible } from '../rules/visible-text.ts';
import { listed } from '../rules/words.ts';
import { Notice } from '../ui/notice.tsx';
import style from './customer-settings.module.css';
import { FormOrJson } from './form-or-json.tsx';

const route = getRouteApi('/inside/customers/$customer_id/rules');

export function CustomerRules() {
  const { customer_id } = route.useParams();
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const rules = useRead('get_customer_rules', { path: { customer_id } });
  const replace = useWrite('replace_customer_rules');
  return (
    <FormOrJson
      of={rules}
      form="Sentences"
      view={view}
      onView={(to) => void navigate({ search: to === undefined ? {} : { view: to } })}
      label="Rules"
      about="This customer’s agents are told these, beside what their recipe says."
      replace={(body) => replace.run({ path: { customer_id }, body })}
      saidWhenSaved="The rules are saved."
    >
      {(data, { key, onSaved }) => {
        const instructions = instructionsOf(data);
        return instructions ? (
          <>
            <CustomerRulesForm
              key={key}
              customer_id={customer_id}
              rules={data}
              instructions={instructions}
              onSaved={onSaved}
            />
            <Others of={data} />
          </>
        ) : (
          <Notice tone="wait">
            The field “instructions” is no list of sentences, so no model is told it. See it as JSON.
          </Notice>
        );
      }}
    </FormOrJson>
  );
}

function Others({ of: { instructions: _, ...others } }: { of: JsonObject }) {
  const names = Object.keys(others).map((name) => `“${visible(name)}”`);
  return (
    names.length > 0 && (
      <p className={`hint ${style.others}`}>
        Besides, there {names.length === 1 ? 'is' : 'are'} {listed(names)} for the agents’ runtime: see JSON.
      </p>
    )
  );
}
