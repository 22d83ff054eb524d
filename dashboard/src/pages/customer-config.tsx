import { getRouteApi } from '@tanstack/react-router';
import { CustomerConfigForm } from '../forms/customer-config.tsx';
import { useRead, useWrite } from '../queries.ts';
import { objectIn } from '../rules/objects.ts';
import { areHours } from '../rules/opening-hours.ts';
import { isObject, type JsonObject } from '../rules/recipe-patch.ts';
import { visible } from '../rules/visible-text.ts';
import { listed } from '../rules/words.ts';
import { Notice } from '../ui/notice.tsx';
import style from './customer-settings.module.css';
import { FormOrJson } from './form-or-json.tsx';

const route = getRouteApi('/inside/customers/$customer_id/config');

const FORM = ['channel_config', 'compliance_config'];

/** A form that cannot show what is stored would lose it. */
function fitsForm(config: JsonObject): boolean {
  const { business_hours = null } = objectIn(config, 'channel_config');
  return (
    FORM.every((name) => config[name] === undefined || isObject(config[name])) &&
    (business_hours === null || areHours(business_hours))
  );
}

export function CustomerConfig() {
  const { customer_id } = route.useParams();
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const config = useRead('get_customer_config', { path: { customer_id } });
  const replace = useWrite('replace_customer_config');
  return (
    <FormOrJson
      of={config}
      form="Form"
      view={view}
      onView={(to) => void navigate({ search: to === undefined ? {} : { view: to } })}
      label="Configuration"
      about="What is set here wins over the recipe, for this customer alone."
      replace={(body) => replace.run({ path: { customer_id }, body })}
      saidWhenSaved="The configuration is saved."
    >
      {(data, { key, onSaved }) =>
        fitsForm(data) ? (
          <>
            <CustomerConfigForm key={key} customer_id={customer_id} config={data} onSaved={onSaved} />
            <Others of={Object.keys(data).filter((name) => !FORM.includes(name))} />
          </>
        ) : (
          <Notice tone="wait">
            The stored configuration has a form of its own, which only the JSON shows whole.
          </Notice>
        )
      }
    </FormOrJson>
  );
}

const Others = ({ of }: { of: readonly string[] }) =>
  of.length > 0 && (
    <p className={`hint ${style.others}`}>
      Besides, {listed(of.map((name) => `“${visible(name)}”`))} {of.length === 1 ? 'is' : 'are'} set: see
      JSON.
    </p>
  );
