{% if categories %}
{% each categories %}
### {{ title }} ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})

{% each entries %}
- {% if scope %}**{{ scope }}:** {% end %}{% if breaking %}[**breaking**] {% end %}{% if text %}{{ text }}{% if commit.web_url %} ([{{ commit.short_id }}]({{ commit.web_url }})){% else %}{% if commit.short_id %} (`{{ commit.short_id }}`){% end %}{% end %}{% else %}\
{% if commit.web_url %}[{{ title }}]({{ commit.web_url }}){% else %}{{ title }} (`{{ commit.short_id }}`){% end %}{% end %}\
{% if author.credit %} by {{ author.reference }}{% end %}\
{% if merge_request %}{% if merge_request.web_url %} ([{% if merge_request.label %}{{ merge_request.label }}{% else %}merge request{% end %}]({{ merge_request.web_url }})){% else %} ({{ merge_request.reference }}){% end %}{% end %}\
{% each references %} ([{{ text }}]({{ url }})){% end %}{% if body %}


{{ body }}
{% end %}

{% end %}

{% end %}
{% else %}
No changes.
{% end %}
